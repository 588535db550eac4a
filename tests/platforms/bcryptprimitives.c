/* The one function of Windows' bcryptprimitives.dll that Rust's standard library uses, for versions of
 * Wine that lack the library. Nothing of this is shipped. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    return RtlGenRandom(data, (ULONG)size);
}
