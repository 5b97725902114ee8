// Runs at the start of every Pulumi program and provider host that a test
// starts. Pulumi loads the TypeScript compiler and npm's package tree to
// serialise functions, but our resources have no functions to serialise. Here
// both are loaded on first use, which saves a second for each command.
const Module = require("node:module");

const LATE = new Set(["@npmcli/arborist", "../../typescript-shim"]);
const load = Module._load;

Module._load = function (request, parent, isMain) {
  const loaded = () => load.call(Module, request, parent, isMain);
  const isLate =
    LATE.has(request) && /@pulumi.pulumi\b/.test(parent?.filename ?? "");
  if (!isLate) return loaded();
  return new Proxy(
    { __esModule: true },
    { get: (_, name) => (name === "__esModule" ? true : loaded()[name]) },
  );
};
