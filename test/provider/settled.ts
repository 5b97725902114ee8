import * as pulumi from "@pulumi/pulumi";

/** The value of an Output, and whether it is secret. */
export async function settled<T>(
  output: pulumi.Output<T>,
): Promise<{ value: T; isSecret: boolean }> {
  const value = await new Promise<T>((resolve) => {
    output.apply(resolve);
  });
  return { value, isSecret: await pulumi.isSecret(output) };
}
