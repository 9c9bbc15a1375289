import { catalogueOf, type TextLanguage } from '../../base/languages/language.ts'
import { docsText } from '../../base/languages/texts.ts'
import { escapeHtml } from '../../base/text/escape.ts'

/** The input of a page. Addresses are relative to it, so that it works behind any host, scheme or proxy. */
export interface DocsPage {
  readonly language: TextLanguage
  readonly siteName: string
  /** The same page in the other languages. */
  readonly otherLanguages: readonly { readonly language: TextLanguage; readonly address: string }[]
  readonly document: string
  /** The document of our own namespace. */
  readonly serviceDocument: string
  readonly index: string
  /** The contents of the guides, which are in English; undefined if the site has no pages. */
  readonly guides: string | undefined
  readonly script: string
  readonly style: string
  /** The script that adds the names that the console lacks. */
  readonly access: string
}

/** Returns the page of the API reference: a bar of links, and the console with the OpenAPI document. */
export function presentDocsPage(page: DocsPage): string {
  const { language, siteName, otherLanguages, document, serviceDocument, index, guides, script, style, access } = page
  const say = (key: Parameters<typeof docsText>[1]) => escapeHtml(docsText(language, key, { site: siteName }))
  const link = (address: string, text: string, more = '') => `<a href="${escapeHtml(address)}"${more}>${text}</a>`
  const documentLink = link(document, say('document'))
  const serviceLink = link(serviceDocument, say('service-document'))
  const indexLink = link(index, say('index'))
  const guidesLink = guides === undefined ? '' : link(guides, say('guides'), ' hreflang="en"')
  const languageLinks = otherLanguages
    .map(({ language: other, address }) =>
      link(address, catalogueOf(other).name, ` lang="${other}" hreflang="${other}"`),
    )
    .join(' ')
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${say('title')}</title>
<link rel="icon" href="data:,">
${otherLanguages.map(({ language: other, address }) => `<link rel="alternate" hreflang="${other}" href="${escapeHtml(address)}">`).join('\n')}
<link rel="stylesheet" href="${escapeHtml(style)}">
</head>
<body>
<section class="bar" aria-label="${say('title')}" data-scalar-scroll-header>
<strong>${say('title')}</strong>
<nav>${guidesLink} ${documentLink} ${indexLink} ${languageLinks}</nav>
</section>
<noscript><p>${say('no-script')}</p><ul>${guidesLink && `<li>${guidesLink}</li>`}<li>${documentLink}</li><li>${serviceLink}</li><li>${indexLink}</li></ul></noscript>
<script type="application/json" id="api-reference" data-configuration="${escapeHtml(consoleSettings(page))}"></script>
<script src="${escapeHtml(script)}"></script>
<script type="module" src="${escapeHtml(access)}" data-copy="${say('copy')}" data-menu="${say('menu')}"></script>
</body>
</html>
`
}

/**
 * The settings of the console. All features that call services of its vendor are off: proxy, fonts, telemetry,
 * assistants.
 */
function consoleSettings({ language, document, serviceDocument }: DocsPage): string {
  return JSON.stringify({
    sources: [
      { title: docsText(language, 'events'), slug: 'events', url: document, default: true },
      { title: docsText(language, 'service'), slug: 'service', url: serviceDocument },
    ],
    localization: {
      locale: language,
      // Its default texts are too long for the available space in French.
      translations: { apiClient: { authSelector: { selectedType: docsText(language, 'sign-in-type') } } },
    },
    modelsSectionLabel: docsText(language, 'models'),
    authentication: { preferredSecurityScheme: 'basic' },
    documentDownloadType: 'none',
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  })
}
