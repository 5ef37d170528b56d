# What is hashed calls no transcendental function of the C library.
exec "$3/tools/check-libm" "$2"
