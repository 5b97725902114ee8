import { format } from "oxfmt";

/** A file's text as `npm run format` writes it. */
export async function formatted(path, text) {
  const { code, errors } = await format(path, text, { printWidth: 80 });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return code;
}
