import type { Region } from "@devid/service";
import type { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sender, type Send } from "../sender.js";

/** Calls of device reputation, with the secret key of a region. */
export function sendDrn(local: LocalWorkspace, region: Region = "us"): Send {
  return sender(() => [
    `${local.url}/drn`,
    {
      authorization: `Bearer ${local.service.workspaces[region].secretKey}`,
      "x-api-version": "2024-09-01",
    },
  ]);
}
