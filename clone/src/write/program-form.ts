import { DevidError } from "@devid/sdk";

/** The languages of written programs. */
export const LANGUAGES = ["typescript", "yaml"] as const;

/** The language of a program, and which form of devid's resources it uses. */
export interface ProgramForm {
  readonly language: (typeof LANGUAGES)[number];
  /** Whether the program uses the provider plugin, not dynamic resources. */
  readonly plugin: boolean;
}

/** The form of a program. YAML has no dynamic resources, so it is always the plugin's. */
export const programForm = ({
  language = "typescript",
  plugin = false,
}: Partial<ProgramForm> = {}): ProgramForm => ({
  language,
  plugin: plugin || language === "yaml",
});

/** A folder holds an export in another form: its files and the new ones would be mixed. */
export class OtherFormError extends DevidError {
  override readonly name = "OtherFormError";

  constructor(
    readonly folder: string,
    {
      found,
      asked,
    }: { readonly found: ProgramForm; readonly asked: ProgramForm },
  ) {
    super(
      `${folder} has an export in ${described(found)}.\n` +
        `This one would be in ${described(asked)}, so nothing was written.\n` +
        `Export to another folder, or with ${flagsOf(found)}.`,
    );
  }
}

const described = ({ language, plugin }: ProgramForm) =>
  language === "yaml"
    ? "YAML"
    : `TypeScript with ${plugin ? "the provider plugin" : "dynamic resources"}`;

/** The flags of `devid export` that ask for a form. */
const flagsOf = ({ language, plugin }: ProgramForm) =>
  language === "yaml"
    ? "--language yaml"
    : `--language typescript${plugin ? " --plugin" : ""}`;
