import { stringify } from "yaml";
import type { DeclaredWorkspace } from "../../declare/declare-workspace";
import { ruleFileYaml } from "@devid/rules";
import type { ExportedFrom } from "@devid/pulumi/settings";
import {
  packageManifest,
  PLUGINS,
  PULUMI_SDK,
  type ProjectNames,
} from "./project";
import { propertiesCode } from "./code";
import { typescriptCode, type TypeScriptTraits } from "./typescript-code";

/**
 * The files of a TypeScript program by path: a file for each kind, rule files, and the
 * common files of every program. `plugin`: whether the program uses the provider
 * plugin, not dynamic resources.
 */
export function typescriptProgram(
  declared: DeclaredWorkspace,
  names: ProjectNames,
  {
    plugin,
    exportedFrom,
    ...traits
  }: Omit<TypeScriptTraits, "module"> & {
    readonly plugin: boolean;
    readonly exportedFrom: ExportedFrom;
  },
): Map<string, string> {
  const { project, description } = names;
  const module = plugin ? "@devid/pulumi/plugin" : "@devid/pulumi";
  const pulumi = {
    name: project,
    description,
    runtime: "nodejs",
    ...(plugin && { plugins: PLUGINS }),
  };
  const manifest = packageManifest(names, {
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": PULUMI_SDK },
    devDependencies: { "@types/node": "^20.19.0", typescript: "~5.9.3" },
  });
  return new Map([
    ["Pulumi.yaml", stringify(pulumi)],
    ["package.json", manifest],
    ["tsconfig.json", TSCONFIG],
    [".gitignore", "node_modules/\nbin/\n"],
    ["settings.ts", settingsCode(exportedFrom)],
    ...typescriptCode(declared, { ...traits, module }),
    ...declared.ruleSets.map(
      ({ path, rules }) => [path, ruleFileYaml(rules)] as const,
    ),
  ]);
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "node16",
    "moduleResolution": "node16",
    "strict": true,
    "skipLibCheck": true,
    "outDir": "bin"
  },
  "files": ["index.ts"]
}
`;

/**
 * `settings.ts`: applies stack config, and refuses a copy of the workspace into itself.
 */
const settingsCode = ({
  workspace,
  environment,
}: ExportedFrom) => `import { applyStackSettings } from "@devid/pulumi/settings";

/** Arguments that differ in a stack: \`settings\` in its config, see README.md. */
export const settings = applyStackSettings({
  // The default environment identifies the workspace.
  exportedFrom: {
${propertiesCode("    ", {
  workspace,
  ...(environment !== undefined && { environment }),
}).join("\n")}
  },
});
`;
