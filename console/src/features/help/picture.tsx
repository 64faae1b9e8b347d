import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, helpPicture } from '@/shared/api';

const PREFIX = 'picture/';

/** A picture of an article: one that was uploaded, read with the viewer's rights. Others are named only. */
export function Picture({ address, alt }: { address: string; alt: string }) {
  const id = address.startsWith(PREFIX) ? address.slice(PREFIX.length) : '';
  const picture = useQuery({
    queryKey: ['help', 'picture', id],
    queryFn: ({ signal }) => call(helpPicture({ query: { id }, parseAs: 'blob', signal })) as Promise<Blob>,
    enabled: id !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [own, setOwn] = useState<string>();
  useEffect(() => {
    if (!picture.data) return;
    const made = URL.createObjectURL(picture.data);
    setOwn(made);
    return () => URL.revokeObjectURL(made);
  }, [picture.data]);
  return own ? <img src={own} alt={alt} /> : <em>{alt}</em>;
}
