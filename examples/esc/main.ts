import { createClient, optionsFromEnvironment } from "@devid/sdk";
import { createRemoteJWKSet } from "jose";
import { rotatorApp } from "./rotator";

/** A variable that has to be set. */
function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`Set ${name}; docs/rotation.md says what it is.`);
}

const app = rotatorApp({
  client: createClient(optionsFromEnvironment()),
  address: required("ROTATOR_ADDRESS"),
  issuer: required("ESC_ISSUER"),
  keys: createRemoteJWKSet(new URL(required("ESC_JWKS"))),
  environment: required("ESC_ENVIRONMENT"),
});

void app.listen({ port: Number(process.env.PORT ?? 8789) });
