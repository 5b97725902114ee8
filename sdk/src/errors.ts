/** The errors that devid throws and the checks of what it is given, without the client. */
export { checkInput } from "./check-input";
export * from "./http/errors";
export { issueMessage } from "./issue-message";
