import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";

// A rotation is three deployments: ["2026-10"], then ["2026-10", "2026-11"],
// and, once every server has the new token, ["2026-11"].
const generations = new pulumi.Config().requireObject<string[]>("generations");

const server = new devid.RotatingApiKey("server", {
  name: "Server",
  description: "Reads events in the checkout service.",
  type: "secret",
  generations,
});

export const keyId = server.keyId;
/** The token for the servers. They must read it again before the old key is deleted. */
export const token = server.token;
