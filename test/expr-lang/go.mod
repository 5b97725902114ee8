module devid.test/expr-lang

go 1.23

require github.com/expr-lang/expr v1.17.8
