// The schemas of the APIs that take the secret key, and the checks of arguments. They
// are the largest schemas of the client, and clients of the management API alone do not
// need them (docs/benchmarks.md, `npm run bench:load`).
export * from "./search-arguments";
export {
  DRN_API_VERSION,
  DRN_SIGNALS,
  DrnAnswer,
  DrnOptions,
} from "../wire/device-reputation";
export { EventRecord } from "../wire/event";
export { EventSearchAnswer } from "../wire/event-search";
export { EventUpdate } from "../wire/event-update";
export * from "../wire/legacy";
