/** The errors that devid throws, without the client. */
export * from "./http/errors";
export * from "./server-api/errors";
