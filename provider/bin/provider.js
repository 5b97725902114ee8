// What the text in every state loads: the handlers by their kinds.
const { loadBundle } = require("./load-bundle.js");

// The bundle has them as its default export.
module.exports = loadBundle("host/provider.js").default;
