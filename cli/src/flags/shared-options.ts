import { REGIONS } from "@devid/sdk";
import { Option } from "commander";

/** `--region`, which wins over the environment. */
export const regionOption = (): Option =>
  new Option("--region <region>", "region of the workspace").choices([
    ...REGIONS,
  ]);
