export * from "./webhook-signature";
