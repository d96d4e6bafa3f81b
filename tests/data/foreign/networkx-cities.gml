graph [
  node [
    id 0
    label "New York"
  ]
  node [
    id 1
    label "Boston"
  ]
  node [
    id 2
    label "Chicago"
  ]
  node [
    id 3
    label "S&#227;o Paulo"
  ]
  edge [
    source 0
    target 1
    weight 215
  ]
  edge [
    source 0
    target 2
    weight 790
  ]
  edge [
    source 0
    target 3
    weight 7680
  ]
  edge [
    source 1
    target 2
    weight 983
  ]
  edge [
    source 2
    target 3
    weight 8400
  ]
]
