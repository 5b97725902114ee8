/**
 * The wire schemas of the management API, the functions that all wire schemas share, and
 * what the local service shares with the client: from here it gets them without loading
 * the client. The local service and the provider use them.
 */
export { isLoopback, maskUrls, originOf } from "../address";
export { camelKeys, camelPath, type CamelKeys } from "./casing";
export * from "./error-body";
export * from "./error-codes";
export * from "./management";
export * from "./operations";
export * from "./regions";
export { issueMessage } from "./open-enum";
export {
  describeNumbers,
  Moment,
  oneOf,
  parameterSchema,
} from "./search-parameter";
