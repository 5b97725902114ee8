import type * as pulumi from "@pulumi/pulumi";
import {
  rotatingApiKey,
  type RotatingApiKeyClass,
  type RotatingApiKeyOutputs,
} from "../rotating-api-key";
import { ApiKey } from "./classes";

/**
 * API keys that replace each other while at least one of them is always accepted: one
 * key for each generation. A rotation takes three steps: add a generation, wait until
 * everything uses the new token, remove the old generation.
 *
 * @example
 * const server = new devid.RotatingApiKey("server", {
 *   name: "Server",
 *   type: "secret",
 *   generations: ["2026-10", "2026-11"],
 * });
 * export const token = server.token; // of 2026-11; the key of 2026-10 is still accepted
 */
export interface RotatingApiKey
  extends pulumi.ComponentResource, RotatingApiKeyOutputs<ApiKey> {}
export const RotatingApiKey: RotatingApiKeyClass<RotatingApiKey> =
  rotatingApiKey<ApiKey>(ApiKey);
