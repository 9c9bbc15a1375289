// Drags by a long touch. A touch that moves sooner scrolls the page, and a short one follows the link.

const holdMs = 400
/** A finger that has moved farther than this, in pixels, means to scroll. */
const holdSlop = 10
/** Near the upper and the lower edge of the window, a drag scrolls. */
const edgePixels = 56
const edgeStep = 12

/**
 * Lets fingers drag the items of an element.
 *
 * @param root The element with the items.
 * @param selector Finds the item of a touched element.
 * @param on Called with the pointer as it is: `pickUp(item, pointer)`, `moveTo(pointer)`, which returns whether the item can
 *   be dropped there, and `end(isDropped)`.
 */
export function dragByTouch(root, selector, on) {
  /** The touch under way: `{ id, item, last, timer, isDragging, isOutside }`. */
  let touch
  /** Whether the touch that ends now was a drag, and so does not tap a link. */
  let isNoTap = false

  const moveTo = (pointer) => {
    touch.isOutside = !on.moveTo(pointer)
  }

  const scrollAtEdge = () => {
    if (!touch?.isDragging) return
    const { clientY: y } = touch.last
    const step = y < edgePixels ? -edgeStep : y > innerHeight - edgePixels ? edgeStep : 0
    if (step !== 0) {
      scrollBy({ top: step, behavior: 'instant' })
      moveTo(touch.last)
    }
    requestAnimationFrame(scrollAtEdge)
  }

  const begin = () => {
    touch.isDragging = true
    on.pickUp(touch.item, touch.last)
    requestAnimationFrame(scrollAtEdge)
  }

  /** The browser drags links and items by itself, and would take the touch over. */
  const setDraggable = (item, isDraggable) => {
    item.draggable = isDraggable
    for (const link of item.querySelectorAll('a')) link.draggable = isDraggable
  }

  const finish = (isDropped) => {
    if (!touch) return
    const { item, timer, isDragging, isOutside } = touch
    clearTimeout(timer)
    setDraggable(item, true)
    touch = undefined
    isNoTap = isDragging
    if (isDragging) on.end(isDropped && !isOutside)
  }

  root.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch') return
    isNoTap = false
    // A second finger zooms.
    if (touch) return finish(false)
    const item = event.target.closest(selector)
    if (!item || event.target.closest('.move, button, input')) return
    setDraggable(item, false)
    touch = { id: event.pointerId, item, last: event, isDragging: false, timer: setTimeout(begin, holdMs) }
  })
  addEventListener('pointermove', (event) => {
    if (event.pointerId !== touch?.id) return
    if (touch.isDragging) {
      touch.last = event
      return moveTo(event)
    }
    const { clientX: x, clientY: y } = touch.last
    if (Math.hypot(event.clientX - x, event.clientY - y) > holdSlop) finish(false)
  })
  addEventListener('pointerup', (event) => {
    if (event.pointerId === touch?.id) finish(true)
  })
  // The browser scrolls or zooms with the touch.
  addEventListener('pointercancel', (event) => {
    if (event.pointerId === touch?.id) finish(false)
  })
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') finish(false)
  })
  // A touch that stops a page which still scrolls belongs to the browser.
  root.addEventListener('touchstart', (event) => event.cancelable || finish(false), { passive: false })
  // The page must not scroll under a drag, and its end does not tap a link.
  for (const name of ['touchmove', 'touchend']) {
    root.addEventListener(
      name,
      (event) => {
        if (event.cancelable && (touch?.isDragging || isNoTap)) event.preventDefault()
      },
      { passive: false },
    )
  }
  // A long touch would open the menu of a link.
  root.addEventListener('contextmenu', (event) => {
    if (touch) event.preventDefault()
  })
}
