/** The program text that stands in state for a provider: it loads the installed package and captures nothing. */
export function providerText(kind: string): string {
  return `exports.handler = () => require("@devid/pulumi/provider").${kind};`;
}
