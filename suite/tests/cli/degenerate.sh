# Inner spheres that end at triangles are exact for degenerate contact. This case runs all ways to
# touch, and one or two scenarios of each other kind; the case degenerate-all runs all scenarios.
scenarios='touch/*/distance,contained/corner/distance,cavity/touching/distance,nested/over/distance,identical/slab/distance'
scenarios=$scenarios,sliding/fine/distance,needle/piercing/distance,slab/through/distance,far/both/distance
scenarios=$scenarios,scale/torus-nano/distance,scale/planet/distance,boxes/thin/distance,lens/1280/distance
. "$root/suite/tests/cli/degenerate.inc"
