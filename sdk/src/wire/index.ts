/** The wire schemas of every surface, for who speaks it: the local service, the provider. */
export { checkInput } from "../check-input";
export * from "../drn/wire";
export { Moment } from "../events/moment";
export { parameterSchema } from "../events/parameter-schema";
export * from "../events/wire";
export { issueMessage } from "../issue-message";
export * from "../legacy/wire";
export * from "../management/wire";
