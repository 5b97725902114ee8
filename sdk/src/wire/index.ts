/** The wire schemas of every surface, for who speaks it: the local service, the provider. */
export * from "./device-reputation";
export * from "./error-body";
export * from "./error-codes";
export * from "./event";
export * from "./event-search";
export * from "./event-signals";
export * from "./legacy";
export * from "./management";
export { issueMessage } from "./open-enum";
export {
  describeNumbers,
  Moment,
  oneOf,
  parameterSchema,
} from "./search-parameter";
export * from "./secret-mark";
