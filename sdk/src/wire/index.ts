/**
 * The wire schemas of the management API, and what the schemas of every surface
 * share, for who speaks it: the local service, the provider.
 */
export * from "./error-body";
export * from "./error-codes";
export * from "./management";
export { issueMessage } from "./open-enum";
export {
  describeNumbers,
  Moment,
  oneOf,
  parameterSchema,
} from "./search-parameter";
export * from "./secret-mark";
