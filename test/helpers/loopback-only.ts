import { UNTHROTTLED } from "./unthrottled";

// Every test file loads this file first. Tests may reach only this machine.
const endpoint = (process.env.DEVID_ENDPOINT ??= "http://127.0.0.1:9");
if (!["127.0.0.1", "localhost", "[::1]"].includes(new URL(endpoint).hostname))
  throw new Error(
    `Tests run against this machine only; DEVID_ENDPOINT is ${endpoint}.`,
  );
for (const name of Object.keys(process.env))
  if (
    name.startsWith("DEVID_") &&
    ![
      "DEVID_CHROMIUM",
      "DEVID_ENDPOINT",
      "DEVID_PULUMI",
      "DEVID_SEED",
    ].includes(name)
  )
    delete process.env[name];

// The local services of tests have no rate limit. A test of the throttle sets a rate.
Object.assign(process.env, UNTHROTTLED);
