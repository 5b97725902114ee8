// Replaces Node's module in commander, in a bundle. commander needs the module only for
// commands that are separate programs. No command here is one, and Node takes
// milliseconds to load the module.
exports.spawn = (...args) => require("node:child_process").spawn(...args);
