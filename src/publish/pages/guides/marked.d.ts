/** The part of marked that the guides use. */
declare module 'marked' {
  interface Inline {
    readonly parser: { parseInline(tokens: readonly object[]): string }
  }
  interface Table {
    readonly header: readonly { readonly text: string }[]
  }
  interface Rules {
    heading(this: Inline, token: { tokens: readonly object[]; depth: number; text: string }): string
    link(this: Inline, token: { href: string; tokens: readonly object[] }): string
    image(token: { text: string }): string
    html(token: { text: string }): string
    code(token: { text: string; lang?: string }): string
    table(this: Inline, token: Table): string
  }
  export class Renderer implements Pick<Rules, 'table'> {
    table(this: Inline, token: Table): string
  }
  export class Marked {
    constructor(options: { readonly renderer: Rules })
    parse(markdown: string, options: { readonly async: false }): string
  }
}
