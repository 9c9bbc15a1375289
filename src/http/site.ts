import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

/** Scheme and host by which the client came; forwarded headers count only from a trusted proxy. */
export function siteOf(config: Config, request: FastifyRequest): string {
  const site = `${request.protocol}://${request.host}`
  const withoutUsualPort = site.toLowerCase().replace(/(?<=^http:.*):80$|(?<=^https:.*):443$/, '')
  return URL.canParse(site) && new URL(site).origin === withoutUsualPort ? site : `http://${config.host}:${config.port}`
}
