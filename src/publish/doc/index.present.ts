import type { Deps } from '../../access/deps.ts'
import type { Addresses } from '../../access/http/addresses.ts'
import type { Argument, Arguments } from '../../access/http/arguments/argument.ts'
import { languageArgument } from '../../access/http/arguments/language.argument.ts'
import type { Namespace } from '../../access/http/namespace.ts'
import { type Endpoint, patternOf, type Route } from '../../access/http/route.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { description } from '../../base/languages/texts.ts'
import { offsetAt } from '../../base/time/zone.ts'

/** The values on which the description of a route depends. */
export interface DocContext {
  readonly deps: Deps
  readonly addresses: Addresses
  readonly language: TextLanguage
  readonly namespace: Namespace
}

/** Returns the address of a path below the described namespace. */
export function describedUrl({ addresses, deps, namespace }: DocContext, path: string): string {
  return `${addresses.base}/${namespace.name(deps.config)}${path}`
}

/** The index of the interface: every route with its methods and arguments (index-and-doc.md §1). */
export function presentIndex(describing: DocContext) {
  const { addresses, deps, namespace } = describing
  const name = namespace.name(deps.config)
  return {
    namespace: name,
    routes: Object.fromEntries(
      namespace.routes
        .filter(({ isExtension }) => !isExtension)
        .map((route) => [patternOf(name, route), presentRoute(route, describing)]),
    ),
    _links: { up: [{ href: `${addresses.base}/` }] },
  }
}

/** Returns the document at the root: the site and the address of its interface. Clients read it first. */
export function presentRoot(describing: DocContext) {
  const { addresses, deps } = describing
  const { siteZone } = deps.config
  return {
    name: deps.config.siteName,
    description: '',
    url: addresses.site,
    home: addresses.site,
    // Offset of the site from UTC now, in hours. A time zone that is only an offset has no name there.
    gmt_offset: offsetAt(deps.now(), siteZone) / 3600,
    timezone_string: /^[+-]/.test(siteZone.id) ? '' : siteZone.name,
    // The site has no page in place of the latest entries.
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces: [addresses.namespace],
    authentication: [],
    routes: presentIndex(describing).routes,
    // Pictures in the media of the reference; ours is a file from the settings.
    site_logo: 0,
    site_icon: 0,
    site_icon_url: '',
  }
}

/** The entry of one route. Contract: it has an address only if the path has no parameter. */
export function presentRoute(route: Route, describing: DocContext) {
  return {
    namespace: describing.namespace.name(describing.deps.config),
    methods: route.endpoints.flatMap(({ methods }) => methods),
    endpoints: route.endpoints.map((endpoint) => presentEndpoint(endpoint, describing)),
    ...(route.path.includes('{') ? {} : { _links: { self: [{ href: describedUrl(describing, route.path) }] } }),
  }
}

/** The arguments of the contract, in order. Our own additions are only in the OpenAPI document. */
function declaredArguments(endpoint: Endpoint, describing: DocContext): Arguments {
  const hasLanguage = describing.namespace.policy.document.hasSharedParameters || endpoint.hasLanguage
  const all: Arguments = {
    ...endpoint.path,
    ...endpoint.args,
    ...(hasLanguage ? languageArguments(describing) : {}),
  }
  return Object.fromEntries(Object.entries(all).filter(([, argument]) => !argument.isExtension))
}

export function languageArguments({ deps, addresses }: DocContext): Arguments {
  const { languageParameter } = addresses
  return { [languageParameter]: languageArgument(languageParameter, deps.config) }
}

function presentEndpoint(endpoint: Endpoint, describing: DocContext) {
  const args = declaredArguments(endpoint, describing)
  return {
    methods: endpoint.methods,
    args: Object.fromEntries(
      Object.entries(args).map(([name, argument]) => [name, presentArgument(argument, describing)]),
    ),
  }
}

/** Contract: members in the order that most recorded arguments have; `required` is last in all of them. */
function presentArgument(argument: Argument<unknown>, { deps, language }: DocContext) {
  const { default: declared, description: text, type, format, items, enum: allowed, isRequired } = argument
  return {
    ...(type ? { type } : {}),
    ...(declared === undefined
      ? {}
      : { default: typeof declared === 'function' ? declared({ config: deps.config, now: deps.now() }) : declared }),
    ...(format ? { format } : {}),
    ...(items ? { items } : {}),
    ...(text ? { description: description(language, text) } : {}),
    ...(allowed ? { enum: allowed } : {}),
    required: isRequired ?? false,
  }
}
