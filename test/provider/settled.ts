import * as pulumi from "@pulumi/pulumi";

/** What an Output holds, and whether it is a secret. */
export async function settled<T>(
  output: pulumi.Output<T>,
): Promise<{ value: T; isSecret: boolean }> {
  const value = await new Promise<T>((resolve) => {
    output.apply(resolve);
  });
  return { value, isSecret: await pulumi.isSecret(output) };
}
