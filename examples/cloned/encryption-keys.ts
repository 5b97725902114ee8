// The encryption keys. Each environment has one from the start; it is adopted.
import * as devid from "@devid/pulumi";
import * as environments from "./environments";

export const defaultKey = new devid.EncryptionKey("default", {
  name: "Shop results",
  status: "enabled",
});

export const staging = new devid.EncryptionKey("staging", {
  environment: environments.staging.id,
  name: "Staging encryption key",
  status: "disabled",
});
