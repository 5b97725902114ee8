import { PolicyPack } from "@pulumi/policy";
import {
  configurationFile,
  PolicyConfigurationError,
} from "./configuration-file";
import { POLICIES } from "./policies";

// Loading this file serves the pack; @devid/policy/policies has them alone, for
// a pack of one's own.
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
