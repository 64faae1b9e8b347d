import { VerticalAlignTopOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type UIEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Pixels of scrolling after which the button is there. */
const FROM = 100;

/** What was scrolled far inside an area, be it the page or a table in it; `onScroll` belongs on the area's capture. */
export function useScrolledFar() {
  const [scrolled, setScrolled] = useState<HTMLElement>();
  const onScroll = ({ target, currentTarget }: UIEvent) => {
    // Scrolling in a drawer over the page arrives here as well.
    if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
    if (target.scrollTop > FROM) setScrolled(target);
    else setScrolled((before) => (before === target ? undefined : before));
  };
  return { scrolled, onScroll };
}

export function BackToTop({ scrolled }: { scrolled: HTMLElement | undefined }) {
  const { t } = useTranslation('frame');
  if (!scrolled) return null;
  return (
    <Button
      className="frame-back-to-top"
      size="large"
      shape="circle"
      icon={<VerticalAlignTopOutlined />}
      aria-label={t('backToTop')}
      onClick={() => scrolled.scrollTo({ top: 0, behavior: 'smooth' })}
    />
  );
}
