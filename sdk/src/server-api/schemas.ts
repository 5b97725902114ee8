// What the APIs that take the secret key need: their table of operations, which has the
// largest schemas of the client, and the checks of arguments. Clients of the management API
// alone do not need it (docs/benchmarks.md, `npm run bench:load`).
export * from "./search-arguments";
export { DRN_SIGNALS, DrnOptions } from "../wire/device-reputation";
export { SERVER_OPERATIONS } from "../wire/server-operations";
