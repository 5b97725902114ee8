import * as pulumi from "@pulumi/pulumi";
import { valueOf } from "./pulumi-mocks";

/** The value of an Output, and whether it is secret. */
export async function settled<T>(
  output: pulumi.Output<T>,
): Promise<{ value: T; isSecret: boolean }> {
  return {
    value: await valueOf(output),
    isSecret: await pulumi.isSecret(output),
  };
}
