import { Tooltip, type TooltipProps } from 'antd';
import { type Ref, useEffect, useImperativeHandle } from 'react';
import { flushSync } from 'react-dom';

interface Props extends Pick<TooltipProps, 'id' | 'title' | 'placement' | 'onOpenChange'> {
  /** What it speaks of; it is drawn elsewhere. */
  element: HTMLElement;
  /** How the pointer came onto the element, if it did. */
  pointer?: MouseEvent | undefined;
  isShown: boolean;
  /** It has left, or Escape takes it away: it is not to be drawn any longer. */
  onGone: () => void;
}

/**
 * The kit's tooltip as a sibling of an element, not its wrapper, so that it can be removed while the element stays.
 *
 * The kit gives Escape to what is on top alone, and counts a tooltip in until the last of it has faded: a dialog below
 * would not close. So Escape takes the tooltip out before the kit looks, and closes what is below it by the same press.
 */
export function TipLayer({ element, pointer, isShown, onGone, ...rest }: Props) {
  useEffect(() => {
    const close = ({ key, isComposing }: KeyboardEvent) => {
      if (key === 'Escape' && !isComposing) flushSync(onGone);
    };
    window.addEventListener('keydown', close, true);
    return () => window.removeEventListener('keydown', close, true);
  }, [onGone]);
  return (
    <Tooltip {...rest} open={isShown} afterOpenChange={(isOpen) => !isOpen && onGone()}>
      <Anchor element={element} pointer={pointer} />
    </Tooltip>
  );
}

interface AnchorProps extends Pick<Props, 'element' | 'pointer'> {
  /** These three come from the kit. */
  ref?: Ref<HTMLElement>;
  onMouseEnter?: (event: MouseEvent) => void;
  onMouseLeave?: (event: MouseEvent) => void;
}

/** Stands for the element: the kit places the tooltip by it, and receives pointer events. */
function Anchor({ element, pointer, ref, onMouseEnter, onMouseLeave }: AnchorProps) {
  useImperativeHandle(ref, () => element, [element]);
  useEffect(() => {
    const enter = (event: MouseEvent) => onMouseEnter?.(event);
    const leave = (event: MouseEvent) => onMouseLeave?.(event);
    element.addEventListener('mouseenter', enter);
    element.addEventListener('mouseleave', leave);
    return () => {
      element.removeEventListener('mouseenter', enter);
      element.removeEventListener('mouseleave', leave);
    };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pointer comes once
  useEffect(() => {
    if (pointer) onMouseEnter?.(pointer);
  }, [pointer]);
  return null;
}
