/** The reason why a file cannot be written, by system error code. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on its disk',
  EDQUOT: 'the quota of its disk is used up',
  EFBIG: 'it would be larger than files may be',
  EIO: 'its disk has a fault',
  EROFS: 'its disk can only be read',
  EACCES: 'its folder may not be written to',
  EPERM: 'its folder may not be written to',
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is not there',
  ENAMETOOLONG: 'its name is too long',
}

/** Returns the reason why the system cannot write a file; undefined for every other error. */
export function systemErrorReason(error: unknown): string | undefined {
  return error instanceof Error ? reasons[String((error as NodeJS.ErrnoException).code)] : undefined
}
