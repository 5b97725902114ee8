#!/usr/bin/env node
void require("../dist/main.js").main(process.argv);
