/* Part of the static program: it looks names up in /etc/hosts and by DNS, whatever /etc/nsswitch.conf says. The modules that
   are named there are built for the C library of the machine, and would crash a program with another one. */

#include <nss.h>

__attribute__((constructor)) static void look_up_names_without_modules(void) {
    __nss_configure_lookup("hosts", "files dns");
}
