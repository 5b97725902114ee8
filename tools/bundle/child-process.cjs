// What commander has of Node's module in a bundle. It needs it for commands that are
// programs of their own, which none of ours is, and Node takes milliseconds to load it.
exports.spawn = (...args) => require("node:child_process").spawn(...args);
