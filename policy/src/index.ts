import { PolicyPack } from "@pulumi/policy";
import {
  configurationFile,
  PolicyConfigurationError,
} from "./configuration-file";
import { POLICIES } from "./policies";

// Loading this module starts the policy pack. For a pack of your own, the policies
// alone are in @devid/policy/policies.
try {
  new PolicyPack(
    "devid",
    { enforcementLevel: "mandatory", policies: [...POLICIES] },
    configurationFile(POLICIES),
  );
} catch (error) {
  if (!(error instanceof PolicyConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
