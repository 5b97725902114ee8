import { markup, type Markup, type MarkupPart } from "@devid/rules/internals";

/** Something to choose. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** A field of a form. */
export interface Field {
  /** The ID of its control, and the name under which its value is sent. */
  readonly id: string;
  readonly label: string;
  readonly help?: MarkupPart;
  readonly value?: string | undefined;
  /** What can be chosen. Without it, the control is a text of so many lines. */
  readonly choices?: readonly Choice[];
  readonly rows?: number;
  /** For a box to tick. */
  readonly isTicked?: boolean;
  /** A button beside the control. */
  readonly button?: Markup;
}

/** A group of fields under a title. */
export function group(title: string, fields: readonly Field[]): Markup {
  return markup`<fieldset>
    <legend>${title}</legend>
    ${fields.map(fieldHtml)}
  </fieldset>`;
}

function fieldHtml(field: Field): Markup {
  const { id, label, help, button, isTicked } = field;
  if (isTicked !== undefined)
    return markup`<p class="field">
      <label
        ><input type="checkbox" name="${id}" ${isTicked && "checked"} />
        ${label}</label
      >
    </p>`;
  return markup`<p class="field">
    <label for="${id}">${label}</label>
    <span class="beside">${control(field)} ${button}</span>
    ${help && markup`<small id="${id}-help">${help}</small>`}
  </p>`;
}

function control(field: Field): Markup {
  const { id, help, value, rows, choices } = field;
  const own = markup`id="${id}" name="${id}" autocomplete="off" spellcheck="false" ${help && markup`aria-describedby="${id}-help"`}`;
  if (choices)
    return markup`<select ${own}>
      ${choices.map((one) => markup`<option value="${one.id}" ${one.id === value && "selected"}>${one.name}</option>`)}
    </select>`;
  return markup`<textarea rows="${rows}" ${own}>
${value}</textarea
  >`;
}
