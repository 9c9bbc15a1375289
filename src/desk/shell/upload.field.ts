import { message } from '../../base/languages/texts.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { FORMATS, maxUploadBytes } from '../../storage/pictures/picture.formats.ts'
import type { OwnCall } from './desk.call.ts'

const formats = Object.values(FORMATS)
const maxMegabytes = maxUploadBytes / 1024 / 1024

interface Upload {
  readonly label: string
  readonly fault: string | undefined
  readonly isRequired?: boolean
}

/** Returns the field that uploads a picture. Its script shows a chosen one at once, and tells what would be refused. */
export function uploadField({ say, textLanguage }: OwnCall, { label, fault, isRequired = false }: Upload): Html {
  // The script fills in what it knows of the file.
  const open = { name: '{name}', most: '{most}' }
  const refused = (why: 'unknown-format' | 'broken' | 'too-many-pixels') =>
    message(textLanguage, `fault.picture.${why}`, open)
  const rules = {
    maxBytes: maxUploadBytes,
    maxMegapixels: Object.fromEntries(formats.map((one) => [one.mimeType, one.maxMegapixels])),
    chosen: say('editor.image.chosen', open),
    large: say('editor.image.large', { ...open, most: maxMegabytes }),
    ...{ kind: refused('unknown-format'), broken: refused('broken'), pixels: refused('too-many-pixels') },
  }
  return html`<div class="field"><label for="f-picture">${label}</label>
<p class="hint" id="h-picture">${say('editor.image.hint')}<span data-drop hidden> ${say('editor.image.drop')}</span></p>
<input type="file" id="f-picture" name="picture"${isRequired && raw(' required')} accept="${formats.map(({ mimeType }) => mimeType).join(',')}" aria-describedby="h-picture${fault && ' x-picture'}" data-rules="${JSON.stringify(rules)}">
<p class="hint" role="status" data-news></p><button type="button" class="quiet small" hidden>${say('editor.image.without')}</button>
${fault && html`<p class="fault" id="x-picture">${fault}</p>`}</div>`
}
