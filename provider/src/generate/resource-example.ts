import { stringify } from "yaml";
import type { ResourceDefinition } from "../definition/define-resource";
import { pythonExample } from "./python-example";

/** The examples of a resource, one for each language: Markdown. */
export function resourceExamples(definition: ResourceDefinition): string {
  const { typescript, yaml, python } = examples(definition);
  return `## Example

${fence("ts", typescript)}

The same in YAML, with the [provider plugin](../plugin.md#set-it-up):

${fence("yaml", yaml)}

In Python, with the [SDK that Pulumi makes](../plugin.md#programs) for the plugin:

${fence("python", python)}`;
}

/**
 * The examples of a resource as its description in a schema has them: the SDK of each
 * language shows its own.
 */
export const schemaExamples = (definition: ResourceDefinition): string =>
  `{{% examples %}}
## Example Usage
{{% example %}}

${Object.entries(examples(definition))
  .map(([language, text]) => fence(language, text))
  .join("\n")}
{{% /example %}}
{{% /examples %}}`;

const examples = (definition: ResourceDefinition) => ({
  typescript: typescriptExample(definition),
  python: pythonExample(definition),
  yaml: yamlExample(definition).trim(),
});

const fence = (language: string, text: string) =>
  `\`\`\`${language}\n${text}\n\`\`\``;

function typescriptExample({ kind, example }: ResourceDefinition): string {
  const { name, inputs, output } = example;
  return `import * as devid from "@devid/pulumi";

const ${name} = new devid.${kind}(${JSON.stringify(name)}, ${JSON.stringify(inputs)});

export const ${output} = ${name}.${output};`;
}

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
