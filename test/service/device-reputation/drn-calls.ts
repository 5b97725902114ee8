import { expect } from "vitest";
import type { Region } from "@devid/service";
import type { Answer } from "../answer.js";
import type { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sender, type CallOptions } from "../sender.js";

/** The supported version of the DRN API. */
export const DRN_VERSION = "2024-09-01";

/**
 * Matches a time within a minute such as `2026-06-01T12:00`, because the clock moves
 * on.
 */
export function within(minute: string): string {
  return expect.stringMatching(`^${minute}:\\d\\dZ$`) as string;
}

/** Asks a service for a device's reputation, with the secret key of a region. */
export function sendDrn(local: LocalWorkspace) {
  return async (
    visitorId: string,
    signals: string | undefined,
    { region = "us", ...options }: CallOptions & { region?: Region } = {},
  ): Promise<Answer> => {
    const { url, workspaces } = local.service;
    const send = sender(`${url}/drn`, {
      authorization: `Bearer ${workspaces[region].secretKey}`,
      "x-api-version": DRN_VERSION,
    });
    const query = signals === undefined ? "" : `?signals=${signals}`;
    return send("GET", `/${visitorId}${query}`, options);
  };
}
