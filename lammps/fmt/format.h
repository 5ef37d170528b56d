// What LAMMPS's headers name of the library {fmt}, whose copy Debian's liblammps-dev leaves out. Declarations only, for
// the compiler to read on: functions of LAMMPS that take these types are not called from here.
#ifndef CAROM_LAMMPS_FMT_FORMAT_H
#define CAROM_LAMMPS_FMT_FORMAT_H

namespace fmt
{
struct string_view;
struct format_args;
template <typename... Arguments, typename Format> format_args make_args_checked(const Format &, const Arguments &...);
} // namespace fmt

#endif
