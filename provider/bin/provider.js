// What the text in every state loads: the handlers by their kinds.
const { loadProgram } = require("./load-program.js");

const handlers = loadProgram("host/provider.js", "provider.js");
// A bundle has them as its default export.
module.exports = handlers.default ?? handlers;
