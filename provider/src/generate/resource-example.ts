import { stringify } from "yaml";
import type { ResourceDefinition } from "../definition/define-resource";
import { pythonExample } from "./python-example";

/** The examples of a resource, one for each language that a test runs: Markdown. */
export function resourceExamples(definition: ResourceDefinition): string {
  return `## Example

\`\`\`ts
${typescriptExample(definition)}
\`\`\`

The same in YAML, with the [provider plugin](../plugin.md#set-it-up):

\`\`\`yaml
${yamlExample(definition).trim()}
\`\`\`

In Python, with the [SDK that Pulumi makes](../plugin.md#programs) for the plugin:

\`\`\`python
${pythonExample(definition)}
\`\`\``;
}

function typescriptExample({ kind, example }: ResourceDefinition): string {
  const { name, inputs, output } = example;
  return `import * as devid from "@devid/pulumi";

const ${name} = new devid.${kind}(${JSON.stringify(name)}, ${JSON.stringify(inputs)});

export const ${output} = ${name}.${output};`;
}

/** The resources and outputs of a `Pulumi.yaml`. */
function yamlExample({ kind, example }: ResourceDefinition): string {
  const { name, inputs, output } = example;
  return stringify(
    {
      resources: { [name]: { type: `devid:${kind}`, properties: inputs } },
      outputs: { [output]: `\${${name}.${output}}` },
    },
    { lineWidth: 0 },
  );
}
