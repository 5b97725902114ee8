import { PolicyPack } from "@pulumi/policy";
import { POLICIES } from "./policies";

// Loading this file serves the pack; @devid/policy/policies has them alone, for
// a pack of one's own.
new PolicyPack("devid", {
  enforcementLevel: "mandatory",
  policies: [...POLICIES],
});
