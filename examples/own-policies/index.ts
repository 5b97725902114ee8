import { noDenyAll, notChecked } from "@devid/policy/policies";
import { PolicyPack } from "@pulumi/policy";
import {
  approvedPhone,
  calmTraffic,
  keyIsLimited,
  namedRules,
} from "./policies";

// `notChecked` comes last: it shows what the policies before it could not check.
new PolicyPack("shop", {
  enforcementLevel: "mandatory",
  policies: [
    calmTraffic,
    approvedPhone,
    namedRules,
    keyIsLimited,
    noDenyAll,
    notChecked,
  ],
});
