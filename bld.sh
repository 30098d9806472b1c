g++ -std=c++20 -O2 -ffp-contract=off -I/tmp/wt-event/include -I/tmp/wt-event/src -I/tmp/wt-event/build/dev/include -I/usr/include/eigen3 $1.cpp /tmp/wt-event/build/dev/src/libpercute_core.a -o $1
